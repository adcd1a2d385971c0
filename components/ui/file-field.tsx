// A field that reads a file in the browser: a text, unless its user says otherwise.
"use client";
import { type ChangeEvent, useId, useState } from "react";
import { textOfFile } from "./file-text";
import { Notice } from "./notice";

export interface ChosenFile {
  readonly name: string;
  readonly text: string;
}

interface FileFieldProps {
  readonly label: string;
  /** In bytes. */
  readonly longest: number;
  /** What to do about a larger one, after its name. */
  readonly tooLarge: string;
  /** Which files the browser offers. */
  readonly accept?: string;
  /** Returns null for a file that is none of the expected kind. */
  readonly read?: (bytes: ArrayBuffer) => string | null;
  readonly onChoose: (file: ChosenFile) => void;
}

export function FileField({ label, longest, tooLarge, onChoose, ...kind }: FileFieldProps) {
  const { accept = ".csv,text/csv", read = textOfFile } = kind;
  const id = useId();
  const [fault, setFault] = useState<string | null>(null);

  async function choose({ target }: ChangeEvent<HTMLInputElement>): Promise<void> {
    const [file] = target.files ?? [];
    if (!file) return;
    const text = file.size > longest ? null : read(await file.arrayBuffer());
    // The same file can be chosen again after it was corrected.
    target.value = "";
    setFault(text === null ? `${file.name} ${tooLarge}` : null);
    if (text !== null) onChoose({ name: file.name, text });
  }

  return (
    <div className="grid gap-4">
      <div className="grid gap-1.5">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        <input
          id={id}
          type="file"
          accept={accept}
          onChange={(event) => void choose(event)}
          className="min-h-11 w-full rounded-md border border-line-strong bg-surface p-1 text-sm file:mr-3 file:min-h-8 file:rounded-sm file:border-0 file:bg-accent-soft file:px-3 file:font-medium file:text-accent"
        />
      </div>
      {fault === null ? null : (
        <Notice tone="bad" role="alert">
          {fault}
        </Notice>
      )}
    </div>
  );
}
