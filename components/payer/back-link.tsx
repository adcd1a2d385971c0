// The way back to the merchant, where the payment names a page.
import { ArrowLeft } from "lucide-react";
import type { PayerPage } from "@/server/contract/payer";
import type { PayerTexts } from "../i18n/texts";
import { ButtonLink } from "../ui/button";

interface BackLinkProps {
  readonly page: Pick<PayerPage, "returnUrl" | "merchantName" | "isEnded">;
  readonly texts: PayerTexts;
}

/** The next step once the payment has ended; before that, a quiet way out. */
export function BackLink({ page: { returnUrl, merchantName, isEnded }, texts }: BackLinkProps) {
  if (returnUrl === null) return null;
  return (
    <ButtonLink
      tone={isEnded ? "primary" : "quiet"}
      href={returnUrl}
      rel="noreferrer"
      className={isEnded ? "w-full print:hidden" : "-ms-4 max-w-full justify-self-start print:hidden"}
    >
      <ArrowLeft className="size-5 shrink-0 rtl:-scale-x-100" aria-hidden="true" />
      <span className="truncate">{texts("back", { merchant: merchantName })}</span>
    </ButtonLink>
  );
}
