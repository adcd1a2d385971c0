// The field for a one-time code in a dialog, shown once the server has required one.
"use client";
import { useState } from "react";
import { Field } from "../ui/field";

/** Shown from the first rejection that requires a code; the typed text stays. */
export function useCodeStep(reason: string | undefined) {
  const [code, setCode] = useState("");
  const [wasAsked, setAsked] = useState(false);
  if (reason === "code_required" && !wasAsked) setAsked(true);
  return { code, setCode, isAsked: wasAsked };
}

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
