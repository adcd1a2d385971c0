// The field for a one-time code in a dialog.
"use client";
import { Field } from "../ui/field";

interface CodeFieldProps {
  readonly code: string;
  readonly onChange: (code: string) => void;
}

export function CodeField({ code, onChange }: CodeFieldProps) {
  return (
    <Field
      id="one-time-code"
      label="One-time code"
      inputMode="numeric"
      autoComplete="one-time-code"
      hint="Each code is good once."
      value={code}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
