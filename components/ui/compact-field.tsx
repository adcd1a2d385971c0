import { type ComponentPropsWithRef, useId } from "react";

type CompactFieldProps = Omit<ComponentPropsWithRef<"input">, "id" | "className"> & { readonly label: string };

/** A label above a low input, for filters. */
export function CompactField({ label, ...input }: CompactFieldProps) {
  const id = useId();
  return (
    <div className="grid gap-1">
      <label htmlFor={id} className="text-xs font-medium">
        {label}
      </label>
      <input
        id={id}
        className="min-h-10 w-full min-w-0 rounded-md border border-line-strong bg-surface px-2.5 text-sm hover:border-ink"
        {...input}
      />
    </div>
  );
}
