import { ArrowUpRight } from "lucide-react";
import { ButtonLink } from "../ui/button";
import { Notice } from "../ui/notice";

interface RedirectInstructionsProps {
  readonly url: string | null;
  readonly methodName: string;
  readonly isTest: boolean;
}

/** A link, not an automatic redirect: the payer sees its target. */
export function RedirectInstructions({ url, methodName, isTest }: RedirectInstructionsProps) {
  if (url !== null) {
    return (
      <ButtonLink tone="primary" href={url} rel="noreferrer" className="w-full">
        Continue with {methodName}
        <ArrowUpRight className="size-5" aria-hidden="true" />
      </ButtonLink>
    );
  }
  return (
    <Notice tone="plain">
      {isTest
        ? `With a live payment, ${methodName} would show its own page here.`
        : `Confirm the payment with ${methodName}. This page follows by itself.`}
    </Notice>
  );
}
