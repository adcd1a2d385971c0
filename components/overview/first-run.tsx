// First steps of a merchant without payments: a key, a request, and the payment that arrives.
"use client";
import Link from "next/link";
import { useMay, useShell } from "../shell/shell-context";
import { CodeBlock } from "../ui/code-block";
import { Panel } from "../ui/panel";

const createPayment = (origin: string) => `curl ${origin}/v1/payment_intents \\
  -u "PUBLIC_KEY:SECRET_KEY" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: first-payment" \\
  -d '{
    "amount": "1250",
    "currency": "BRL",
    "country": "BR",
    "payment_method": "BR_PIX",
    "merchant_reference": "first-payment"
  }'`;

const STEP = "grid grid-cols-[minmax(0,1fr)] gap-2";

export function FirstRun({ origin }: { readonly origin: string }) {
  const { environment } = useShell();
  const mayMakeKeys = useMay("manage_keys");
  return (
    <Panel className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="grid gap-1">
        <h2 className="text-lg">The first payment</h2>
        <p className="text-sm text-ink-soft">There is none in {environment} yet. Three steps bring it here.</p>
      </div>
      <ol className="grid list-inside list-decimal grid-cols-[minmax(0,1fr)] gap-5 text-sm marker:font-semibold">
        <li>
          {mayMakeKeys ? (
            <Link
              href={`/${environment}/developers/keys`}
              prefetch={false}
              className="font-medium text-accent underline underline-offset-3"
            >
              Create an API key
            </Link>
          ) : (
            "Have an owner, admin or developer create an API key"
          )}
          : its secret is shown once.
        </li>
        <li>
          <span>Create a payment with it; 1250 is 12.50 BRL.</span>
          <div className={`${STEP} mt-2`}>
            <CodeBlock title="Create a payment" code={createPayment(origin)} />
          </div>
        </li>
        <li>
          Watch it arrive under{" "}
          <Link
            href={`/${environment}/payments`}
            prefetch={false}
            className="font-medium text-accent underline underline-offset-3"
          >
            Payments
          </Link>
          . The answer's <code className="font-mono text-xs">hosted_instructions_url</code> is where the payer pays.
        </li>
      </ol>
    </Panel>
  );
}
