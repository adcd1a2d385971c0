import type { ReactNode } from "react";
import { CodeBlock } from "../ui/code-block";
import { createPaymentCommand } from "./commands";

interface FirstStepsProps {
  readonly baseUrl: string;
  /** With the demo merchant's keys. */
  readonly keysFile: string;
}

const readPayment = (baseUrl: string) => `curl ${baseUrl}/v1/payment_intents/dord_… \\
  -u "$SLUICE_PUBLIC_KEY:$SLUICE_SECRET_KEY"`;

const KEY = "font-mono text-xs whitespace-nowrap";

/** A path as one word of the shell; quoted only if it must be. `.` looks for a bare name elsewhere. */
function shellWord(path: string): string {
  const word = path.includes("/") ? path : `./${path}`;
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** From nothing to a succeeded payment in the test environment. */
export function FirstSteps({ baseUrl, keysFile }: FirstStepsProps) {
  return (
    <section aria-labelledby="first-steps" className="grid min-w-0 content-start gap-6">
      <h2 id="first-steps" className="text-xl">
        First payment in three steps
      </h2>
      <ol className="grid gap-8">
        <Step number={1} title="Read the demo keys into your shell">
          <p>The first start created a demo merchant, and stored its test keys in a file that only you can read.</p>
          <CodeBlock title="Shell" code={`. ${shellWord(keysFile)}`} />
        </Step>
        <Step number={2} title="Create a payment">
          <p>Amounts are text in minor units: 1250 is 12.50 BRL.</p>
          <CodeBlock title="Create a payment" code={createPaymentCommand(baseUrl)} />
        </Step>
        <Step number={3} title="Pay it, and see it succeed">
          <p>
            Open <code className={KEY}>hosted_instructions_url</code> from the answer and press Pay. Then read the
            payment again: its status is <code className={KEY}>succeeded</code>.
          </p>
          <CodeBlock title="Read the payment" code={readPayment(baseUrl)} />
        </Step>
      </ol>
    </section>
  );
}

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly children: ReactNode;
}

function Step({ number, title, children }: StepProps) {
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 [&_p]:text-sm [&_p]:text-ink-soft">
      <span
        aria-hidden="true"
        className="figures grid size-7 place-items-center rounded-full border border-line-strong text-xs font-semibold"
      >
        {number}
      </span>
      <div className="grid min-w-0 gap-3">
        <h3 className="text-base leading-7">{title}</h3>
        {children}
      </div>
    </li>
  );
}
