import { revokeLater } from './revokeLater.ts';

/** Offers a text as a file to be saved; a byte order mark lets spreadsheets read it as UTF-8. */
export function saveText(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  revokeLater(url);
}
