import { revokeLater } from './revokeLater.ts';

/** Saves a text as a file; a byte order mark makes spreadsheets read it as UTF-8. */
export const saveText = (name: string, text: string): void => saveFile(name, `\ufeff${text}`, 'text/csv;charset=utf-8');

export function saveFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  revokeLater(url);
}
