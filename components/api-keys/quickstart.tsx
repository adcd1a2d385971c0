// The first requests with a key to this instance, with a button that copies them.
import { createPaymentCommand } from "../front/commands";
import { CodeBlock } from "../ui/code-block";

const KEEP = 'export SLUICE_PUBLIC_KEY="pk_…"\nexport SLUICE_SECRET_KEY="sk_…"';

const list = (baseUrl: string) => `curl ${baseUrl}/v1/payment_intents \\
  -u "$SLUICE_PUBLIC_KEY:$SLUICE_SECRET_KEY"`;

export function Quickstart({ baseUrl }: { readonly baseUrl: string }) {
  return (
    <section aria-labelledby="quickstart" className="grid min-w-0 gap-4">
      <h2 id="quickstart" className="text-lg">
        Use a key
      </h2>
      <p className="max-w-prose text-sm text-ink-soft">
        Every request names both parts: the public key as user name, the secret key as password. The key decides the
        merchant and the environment.
      </p>
      <div className="grid min-w-0 gap-4 xl:grid-cols-3">
        <CodeBlock title="Put the pair into your shell" code={KEEP} />
        <CodeBlock title="Create a payment" code={createPaymentCommand(baseUrl)} />
        <CodeBlock title="List payments" code={list(baseUrl)} />
      </div>
    </section>
  );
}
