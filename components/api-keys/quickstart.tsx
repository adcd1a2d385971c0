// The first requests with a key to this instance, with a button that copies them.

import { createPaymentCommand } from "../front/commands";
import { useTexts } from "../i18n/use-texts";
import { CodeBlock } from "../ui/code-block";

const KEEP = 'export SLUICE_PUBLIC_KEY="pk_…"\nexport SLUICE_SECRET_KEY="sk_…"';

const list = (baseUrl: string) => `curl ${baseUrl}/v1/payment_intents \\
  -u "$SLUICE_PUBLIC_KEY:$SLUICE_SECRET_KEY"`;

export function Quickstart({ baseUrl }: { readonly baseUrl: string }) {
  const texts = useTexts();
  return (
    <section aria-labelledby="quickstart" className="grid min-w-0 gap-4">
      <h2 id="quickstart" className="text-lg">
        {texts("keys.useAKey")}
      </h2>
      <p className="max-w-prose text-sm text-ink-soft">{texts("keys.firstRequestAbout")}</p>
      <div className="grid min-w-0 gap-4 xl:grid-cols-3">
        <CodeBlock title={texts("keys.shellHint")} code={KEEP} />
        <CodeBlock title={texts("keys.createAPayment")} code={createPaymentCommand(baseUrl)} />
        <CodeBlock title={texts("keys.listPayments")} code={list(baseUrl)} />
      </div>
    </section>
  );
}
