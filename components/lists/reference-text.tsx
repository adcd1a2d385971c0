// Owns a merchant's reference in a row: one line, the whole of it on hover.

export function ReferenceText({ text }: { readonly text: string | null }) {
  return (
    <span className="block max-w-56 truncate" title={text ?? undefined}>
      {text ?? "–"}
    </span>
  );
}
