// The payer's page: what to pay on one side, how to pay it on the other.
import type { PayerPage } from "@/server/contract/payer";
import { Amount } from "../money/amount";
import { Countdown } from "../time/countdown";
import { LocalTime } from "../time/local-time";
import { Mark } from "../ui/mark";
import { Notice } from "../ui/notice";
import { StatusBadge } from "../ui/status-badge";
import { TextLink } from "../ui/text-link";
import { BankInstructions } from "./bank-instructions";
import { EndedAt, EndingSign } from "./ending";
import { LiveUpdates } from "./live-updates";
import { QrInstructions } from "./qr-instructions";
import { RedirectInstructions } from "./redirect-instructions";
import { TestControls } from "./test-controls";
import { wordingOf } from "./wording";

interface PayerViewProps {
  readonly page: PayerPage;
}

const HEADING_ID = "payment-state";

/** The whole page. `page` holds only what the payer needs. */
export function PayerView({ page }: PayerViewProps) {
  const isTest = page.environment === "test";
  const wording = wordingOf(page);
  return (
    <div className="flex min-h-dvh flex-col">
      {isTest ? (
        <header>
          <Notice tone="test" className="justify-center rounded-none">
            <strong className="font-semibold">Test payment.</strong> No money moves.
          </Notice>
        </header>
      ) : null}
      <main className="grid grow content-start lg:grid-cols-2 lg:content-stretch">
        <section
          aria-label="Payment"
          className="border-line bg-sunken px-5 py-8 max-lg:border-b sm:px-10 lg:border-r lg:py-20"
        >
          <div className="mx-auto max-w-md lg:mr-16 lg:ml-auto">
            <Summary page={page} badge={wording.badge} />
          </div>
        </section>
        <section aria-labelledby={HEADING_ID} className="px-5 py-8 sm:px-10 lg:py-20">
          <div className="mx-auto grid max-w-md gap-6 lg:mr-auto lg:ml-16">
            <div className="grid gap-1.5">
              {page.isEnded ? <EndingSign status={page.status} /> : null}
              <h2 id={HEADING_ID} tabIndex={-1} className="text-xl outline-none">
                {wording.title}
              </h2>
              <p className="text-ink-soft">{wording.text}</p>
            </div>
            {page.isEnded ? <EndedAt status={page.status} iso={page.updatedAt} /> : <Instructions page={page} />}
            {isTest && !page.isEnded ? <TestControls id={page.id} /> : null}
            {page.isEnded ? null : (
              <noscript>
                <TextLink href={`/pay/${page.id}`}>Load this page again to see whether the payment arrived</TextLink>
              </noscript>
            )}
          </div>
        </section>
      </main>
      <LiveUpdates
        id={page.id}
        revision={page.revision}
        isEnded={page.isEnded}
        title={wording.title}
        headingId={HEADING_ID}
      />
    </div>
  );
}

function Summary({ page, badge }: { readonly page: PayerPage; readonly badge: string }) {
  return (
    <div className="grid gap-6">
      <div className="grid gap-1">
        <h1 className="text-base font-medium tracking-normal wrap-anywhere text-ink-soft">
          {page.merchantName}
          <span className="sr-only">: payment of</span>
        </h1>
        <p>
          <Amount minorUnits={page.amount} currency={page.currency} size="display" />
        </p>
      </div>
      {page.isEnded ? null : <Countdown from={page.createdAt} until={page.expiresAt} now={page.shownAt} />}
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-8 gap-y-2.5 text-sm [&_dd]:text-right [&_dt]:text-ink-soft">
        <dt>Status</dt>
        <dd>
          <StatusBadge status={page.status} label={badge} />
        </dd>
        <dt>Method</dt>
        <dd>{page.methodName}</dd>
        {page.isEnded ? null : (
          <>
            <dt>Pay until</dt>
            <dd>
              <LocalTime iso={page.expiresAt} />
            </dd>
          </>
        )}
        <dt>Payment</dt>
        <dd className="font-mono text-xs wrap-anywhere">{page.id}</dd>
      </dl>
      <p className="caption flex items-center gap-2 max-lg:hidden">
        <Mark className="size-4" /> Payment page by Sluice
      </p>
    </div>
  );
}

function Instructions({ page }: PayerViewProps) {
  const { instructions } = page;
  switch (instructions?.type) {
    case "qr":
      return <QrInstructions code={instructions.code} picture={instructions.picture} />;
    case "bank_transfer":
      return <BankInstructions {...instructions} amount={page.amount} currency={page.currency} />;
    case "redirect":
      return (
        <RedirectInstructions
          url={instructions.url}
          methodName={page.methodName}
          isTest={page.environment === "test"}
        />
      );
    case undefined:
      return null;
  }
}
