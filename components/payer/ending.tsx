// What the payer sees of an ended payment: the status's icon, the time and the receipt.

import type { Reader } from "@/server/contract/languages";
import type { PayerPage } from "@/server/contract/payer";
import type { PaymentStatus } from "@/server/domain/payment-transitions";
import type { PayerTexts } from "../i18n/texts";
import { BADGE_TONES } from "../ui/badge";
import { STATUS_LOOKS } from "../ui/status-badge";
import { localInstant } from "./local-time";
import { PayerTime } from "./payer-time";
import { PrintButton } from "./print-button";

/** The status's icon on its background; the heading below states the same in words. */
export function EndingSign({ status }: { readonly status: PaymentStatus }) {
  const { Icon, tone } = STATUS_LOOKS[status];
  return (
    <span className={`mb-3 grid size-14 place-items-center rounded-lg ${BADGE_TONES[tone]}`}>
      <Icon className="size-8" aria-hidden="true" />
    </span>
  );
}

interface EndedAtProps {
  readonly page: Pick<PayerPage, "status" | "updatedAt">;
  readonly texts: PayerTexts;
  readonly reader: Reader;
}

/** A paid payment can be printed: the page is its receipt. */
export function EndedAt({ page, texts, reader: { locale } }: EndedAtProps) {
  const isPaid = page.status === "succeeded";
  const utc = localInstant(page.updatedAt, locale, "UTC");
  return (
    <>
      <dl className="border-t border-line pt-3 text-sm">
        <dt className="caption">{texts(isPaid ? "field.paidOn" : "field.endedOn")}</dt>
        <dd>
          <PayerTime iso={page.updatedAt} locale={locale} utc={utc} />
        </dd>
      </dl>
      {isPaid ? <PrintButton>{texts("receipt.print")}</PrintButton> : null}
    </>
  );
}
