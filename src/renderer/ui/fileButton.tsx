import { type ChangeEvent, cloneElement, type ReactElement, type RefObject, useEffect, useRef } from 'react';

interface FileButtonProps {
  /** The accessible name of the hidden field. */
  label: string;
  accept?: string;
  multiple?: boolean;
  /** A whole folder instead of files. */
  isFolder?: boolean;
  onFiles: (files: [File, ...File[]]) => void;
  /** The hidden field, if something else opens it with `click()` too. */
  ref?: RefObject<HTMLInputElement | null>;
  /** The button; without one, only the `ref` opens it. */
  children?: ReactElement<{ onClick?: () => void }>;
}

/** Lets the user choose files from this computer. The same file can be chosen again. */
export function FileButton({ label, accept, multiple, isFolder = false, onFiles, ref, children }: FileButtonProps) {
  const own = useRef<HTMLInputElement>(null);
  const input = ref ?? own;
  // React does not know this attribute.
  useEffect(() => {
    input.current?.toggleAttribute('webkitdirectory', isFolder);
  }, [input, isFolder]);
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [first, ...rest] = currentTarget.files ?? [];
    currentTarget.value = '';
    if (first) onFiles([first, ...rest]);
  };
  return (
    <>
      {children && cloneElement(children, { onClick: () => input.current?.click() })}
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={accept}
        multiple={multiple || isFolder}
        onChange={take}
      />
    </>
  );
}
