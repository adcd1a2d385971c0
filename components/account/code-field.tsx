// The field for a one-time code in a dialog.
"use client";
import { useTexts } from "../i18n/use-texts";
import { Field } from "../ui/field";

interface CodeFieldProps {
  readonly code: string;
  readonly onChange: (code: string) => void;
}

export function CodeField({ code, onChange }: CodeFieldProps) {
  const texts = useTexts();
  return (
    <Field
      id="one-time-code"
      label={texts("account.oneTimeCode")}
      inputMode="numeric"
      autoComplete="one-time-code"
      hint={texts("account.codeHint")}
      value={code}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
