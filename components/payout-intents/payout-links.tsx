// Links beside the heading of the payouts. The server renders them, so that their icons cost the page no script.

import { FileUp, Users } from "lucide-react";
import type { Texts } from "../i18n/dashboard-texts";
import { ButtonLink } from "../ui/button";

interface PayoutLinksProps {
  readonly environment: string;
  readonly mayCreate: boolean;
  readonly texts: Texts;
}

export function PayoutLinks({ environment, mayCreate, texts }: PayoutLinksProps) {
  return (
    <>
      <ButtonLink size="medium" href={`/${environment}/payouts/recipients`}>
        <Users className="size-4" aria-hidden="true" />
        <span className="max-sm:sr-only">{texts("payouts.recipients")}</span>
      </ButtonLink>
      {mayCreate ? (
        <ButtonLink size="medium" href={`/${environment}/payouts/upload`}>
          <FileUp className="size-4" aria-hidden="true" />
          <span className="max-sm:sr-only">{texts("payouts.uploadCSV")}</span>
        </ButtonLink>
      ) : null}
    </>
  );
}
