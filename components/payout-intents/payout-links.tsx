// Links beside the heading of the payouts. The server renders them, so that their icons cost the page no script.
import { FileUp, Users } from "lucide-react";
import { ButtonLink } from "../ui/button";

interface PayoutLinksProps {
  readonly environment: string;
  readonly mayCreate: boolean;
}

export function PayoutLinks({ environment, mayCreate }: PayoutLinksProps) {
  return (
    <>
      <ButtonLink size="medium" href={`/${environment}/payouts/recipients`}>
        <Users className="size-4" aria-hidden="true" />
        <span className="max-sm:sr-only">Recipients</span>
      </ButtonLink>
      {mayCreate ? (
        <ButtonLink size="medium" href={`/${environment}/payouts/upload`}>
          <FileUp className="size-4" aria-hidden="true" />
          <span className="max-sm:sr-only">Upload CSV</span>
        </ButtonLink>
      ) : null}
    </>
  );
}
