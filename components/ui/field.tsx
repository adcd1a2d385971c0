import type { ComponentPropsWithRef } from "react";
import { classNames } from "./class-names";

type FieldProps = Omit<ComponentPropsWithRef<"input">, "id"> & {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  /** The error in the value; screen readers read it with the field. */
  readonly error?: string | undefined;
};

/** A label and an input, with a hint or an error below it. */
export function Field({ id, label, hint, error, className, ...input }: FieldProps) {
  const note = error ?? hint;
  return (
    <div className={classNames("grid gap-1.5", className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        className={classNames(
          "min-h-11 w-full rounded-md border bg-surface px-3 text-base text-ink transition-colors duration-150",
          "placeholder:text-ink-soft hover:border-ink",
          error ? "border-bad" : "border-line-strong",
        )}
        {...input}
      />
      {note ? (
        <p
          id={`${id}-note`}
          role={error ? "alert" : undefined}
          className={classNames("text-xs", error ? "text-bad" : "text-ink-soft")}
        >
          {note}
        </p>
      ) : null}
    </div>
  );
}
