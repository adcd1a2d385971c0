// A merchant reference in a row: cut to one line, complete on hover.

export function ReferenceText({ text }: { readonly text: string | null }) {
  return (
    <span className="block max-w-36 truncate 2xl:max-w-56" title={text ?? undefined}>
      {text ?? "–"}
    </span>
  );
}
