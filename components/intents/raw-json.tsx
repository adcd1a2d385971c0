// The resource as the API returns it, initially folded.
import { useTexts } from "../i18n/use-texts";
import { CodeBlock } from "../ui/code-block";

export function RawJson({ title, value }: { readonly title: string; readonly value: unknown }) {
  const texts = useTexts();
  return (
    <details className="rounded-lg border border-line bg-surface px-5 py-3.5 sm:px-6">
      <summary className="text-sm font-medium">{texts("intents.rawJson")}</summary>
      <div className="pt-3 pb-2">
        <CodeBlock title={title} code={JSON.stringify(value, null, 2)} />
      </div>
    </details>
  );
}
