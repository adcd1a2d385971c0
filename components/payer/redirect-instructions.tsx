import { ArrowUpRight } from "lucide-react";
import type { PayerTexts } from "../i18n/texts";
import { ButtonLink } from "../ui/button";
import { Notice } from "../ui/notice";

interface RedirectInstructionsProps {
  readonly texts: PayerTexts;
  readonly url: string | null;
  readonly method: string;
  readonly isTest: boolean;
}

/** A link, not an automatic redirect: the payer sees its target. */
export function RedirectInstructions({ texts, url, method, isTest }: RedirectInstructionsProps) {
  if (url !== null) {
    return (
      <ButtonLink tone="primary" href={url} rel="noreferrer" className="w-full">
        {texts("redirect.continue", { method })}
        <ArrowUpRight className="size-5 rtl:-scale-x-100" aria-hidden="true" />
      </ButtonLink>
    );
  }
  return <Notice tone="plain">{texts(isTest ? "redirect.test" : "redirect.confirm", { method })}</Notice>;
}
