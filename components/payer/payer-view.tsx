// The payer's page: what to pay on one side, how to pay it on the other.

import type { Reader } from "@/server/contract/languages";
import type { PayerPage } from "@/server/contract/payer";
import { type PayerTexts, payerTexts } from "../i18n/texts";
import { localAmount } from "../money/local-amount";
import { Logo } from "../ui/logo";
import { Mark } from "../ui/mark";
import { Notice } from "../ui/notice";
import { StatusMark } from "../ui/status-badge";
import { TextLink } from "../ui/text-link";
import { BackLink } from "./back-link";
import { BankInstructions } from "./bank-instructions";
import { Countdown } from "./countdown";
import { EndedAt, EndingSign } from "./ending";
import { Languages } from "./languages";
import { LiveUpdates } from "./live-updates";
import { localInstant } from "./local-time";
import { PayerTime } from "./payer-time";
import { QrInstructions } from "./qr-instructions";
import { RedirectInstructions } from "./redirect-instructions";
import { TestControls } from "./test-controls";
import { wordingOf } from "./wording";

interface PayerViewProps {
  /** Only what the payer needs. */
  readonly page: PayerPage;
  readonly reader: Reader;
}

interface PartProps extends PayerViewProps {
  readonly texts: PayerTexts;
}

const HEADING_ID = "payment-state";

/** The whole page. */
export function PayerView({ page, reader }: PayerViewProps) {
  const texts = payerTexts(reader.language);
  const isTest = page.environment === "test";
  const wording = wordingOf(page, texts);
  return (
    <div className="flex min-h-dvh flex-col">
      {page.brandColor === null ? null : (
        <div aria-hidden="true" className="h-2 shrink-0" style={{ backgroundColor: page.brandColor }} />
      )}
      {isTest ? (
        <header>
          <Notice tone="test" className="justify-center rounded-none">
            <strong className="font-semibold">{texts("test.title")}</strong> {texts("test.text")}
          </Notice>
        </header>
      ) : null}
      <main className="grid grow content-start lg:grid-cols-2 lg:content-stretch">
        <section
          aria-label={texts("section")}
          className="border-line bg-sunken px-5 py-8 max-lg:border-b sm:px-10 lg:border-e lg:py-20"
        >
          <div className="mx-auto max-w-md lg:ms-auto lg:me-16">
            <Summary page={page} reader={reader} texts={texts} badge={wording.badge} />
          </div>
        </section>
        <section aria-labelledby={HEADING_ID} className="px-5 py-8 sm:px-10 lg:py-20">
          <div className="mx-auto grid max-w-md gap-6 lg:ms-16 lg:me-auto">
            <div className="grid gap-1.5">
              {page.isEnded ? <EndingSign status={page.status} /> : null}
              <h2 id={HEADING_ID} tabIndex={-1} className="text-xl outline-none">
                {wording.title}
              </h2>
              <p className="text-ink-soft">{wording.text}</p>
            </div>
            {page.isEnded ? (
              <EndedAt page={page} texts={texts} reader={reader} />
            ) : (
              <Instructions page={page} texts={texts} reader={reader} />
            )}
            {isTest && !page.isEnded ? (
              <TestControls
                action={`/pay/${page.id}/decide${reader.query}`}
                words={{
                  legend: texts("controls.legend"),
                  succeeded: texts("controls.succeeded"),
                  declined: texts("controls.declined"),
                  cancelled: texts("controls.cancelled"),
                  expired: texts("controls.expired"),
                  lost: texts("controls.lost"),
                }}
              />
            ) : null}
            <BackLink page={page} texts={texts} />
            {page.isEnded ? null : (
              <noscript>
                <TextLink href={`/pay/${page.id}${reader.query}`}>{texts("reload")}</TextLink>
              </noscript>
            )}
          </div>
        </section>
      </main>
      <footer className="border-t border-line px-5 py-4 sm:px-10 print:hidden">
        <div className="mx-auto flex max-w-5xl flex-wrap items-center justify-between gap-x-8 gap-y-3">
          <Languages id={page.id} language={reader.language} texts={texts} />
          <p className="caption flex items-center gap-2">
            <Mark className="size-4" /> {texts("madeBy")}
          </p>
        </div>
      </footer>
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

function Summary({ page, reader: { locale }, texts, badge }: PartProps & { readonly badge: string }) {
  return (
    <div className="grid gap-6">
      <div className="grid gap-1">
        {page.logoUrl === null ? null : (
          <div className="mb-3">
            <Logo src={page.logoUrl} name="" />
          </div>
        )}
        <h1 className="text-base font-medium tracking-normal wrap-anywhere text-ink-soft">
          <span aria-hidden="true">{page.merchantName}</span>
          <span className="sr-only">{texts("heading", { merchant: page.merchantName })}</span>
        </h1>
        <p className="figures text-3xl font-semibold tracking-tight wrap-anywhere">
          {localAmount(page.amount, page.currency, locale)}
        </p>
        {page.description === null ? null : (
          <p dir="auto" className="wrap-anywhere">
            {page.description}
          </p>
        )}
      </div>
      {page.isEnded ? null : (
        <Countdown
          from={page.createdAt}
          until={page.expiresAt}
          now={page.shownAt}
          locale={locale}
          words={{ left: texts("time.left"), isUp: texts("time.isUp") }}
        />
      )}
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-8 gap-y-2.5 text-sm [&_dd]:text-end [&_dt]:text-ink-soft">
        <dt>{texts("field.status")}</dt>
        <dd>
          <StatusMark status={page.status} label={badge} />
        </dd>
        <dt>{texts("field.method")}</dt>
        <dd>{page.methodName}</dd>
        {page.isEnded ? null : (
          <>
            <dt>{texts("field.payUntil")}</dt>
            <dd>
              <PayerTime iso={page.expiresAt} locale={locale} utc={localInstant(page.expiresAt, locale, "UTC")} />
            </dd>
          </>
        )}
        <dt>{texts("field.payment")}</dt>
        <dd className="font-mono text-xs wrap-anywhere">{page.id}</dd>
      </dl>
    </div>
  );
}

function Instructions({ page, reader, texts }: PartProps) {
  const { instructions } = page;
  switch (instructions?.type) {
    case "qr":
      return <QrInstructions texts={texts} code={instructions.code} picture={instructions.picture} />;
    case "bank_transfer":
      return (
        <BankInstructions
          {...instructions}
          texts={texts}
          amount={page.amount}
          currency={page.currency}
          shownAmount={localAmount(page.amount, page.currency, reader.locale)}
        />
      );
    case "redirect":
      return (
        <RedirectInstructions
          texts={texts}
          url={instructions.url}
          method={page.methodName}
          isTest={page.environment === "test"}
        />
      );
    case undefined:
      return null;
  }
}
