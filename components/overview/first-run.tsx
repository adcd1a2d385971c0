// First steps of a merchant without payments: a key, a request, and the payment that arrives.
"use client";
import Link from "next/link";
import { useTexts } from "../i18n/use-texts";
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
  const texts = useTexts();
  const { environment } = useShell();
  const mayMakeKeys = useMay("manage_keys");
  return (
    <Panel className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div className="grid gap-1">
        <h2 className="text-lg">{texts("overview.theFirstPayment")}</h2>
        <p className="text-sm text-ink-soft">{texts("overview.firstStepsAbout", { environment })}</p>
      </div>
      <ol className="grid list-inside list-decimal grid-cols-[minmax(0,1fr)] gap-5 text-sm marker:font-semibold">
        <li>
          {mayMakeKeys ? (
            <Link
              href={`/${environment}/developers/keys`}
              prefetch={false}
              className="font-medium text-accent underline underline-offset-3"
            >
              {texts("overview.createKey")}
            </Link>
          ) : (
            texts("overview.askForKey")
          )}
          {texts("overview.secretOnce")}
        </li>
        <li>
          <span>{texts("overview.createPayment")}</span>
          <div className={`${STEP} mt-2`}>
            <CodeBlock title={texts("overview.createAPayment")} code={createPayment(origin)} />
          </div>
        </li>
        <li>
          {texts.rich("overview.watchPayment", {
            link: (words) => (
              <Link
                href={`/${environment}/payments`}
                prefetch={false}
                className="font-medium text-accent underline underline-offset-3"
              >
                {words}
              </Link>
            ),
            code: (words) => <code className="font-mono text-xs">{words}</code>,
          })}
        </li>
      </ol>
    </Panel>
  );
}
