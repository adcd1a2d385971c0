// What becomes of top-ups that are not paid as quoted: in effect, and proposed.
"use client";
import { lazy, Suspense, useState } from "react";
import { useTexts } from "../i18n/use-texts";
import { Facts } from "../intents/facts";
import { useMay, useShell } from "../shell/shell-context";
import { Button } from "../ui/button";
import { Section } from "./section";
import { feeWordsIn, type MerchantSettings, percentText, policyFacts } from "./settings";
import { TopupProposal } from "./topup-proposal";

const TopupPoliciesDialog = lazy(() => import("./topup-policies-dialog"));

export function TopupTermsSection({ settings }: { readonly settings: MerchantSettings }) {
  const texts = useTexts();
  const { environment } = useShell();
  const mayChange = useMay("manage_settings");
  const [isChanging, setChanging] = useState(false);
  const { topup_terms: terms, proposed_topup_terms: proposal } = settings;
  return (
    <Section id="topup-terms" title={texts("settings.topupTermsInEnvironment", { environment })}>
      <Facts
        facts={[
          ...policyFacts(texts, terms),
          [
            texts("settings.spread"),
            texts("settings.operatorSpread", { percent: percentText(texts, terms.spread_basis_points) }),
          ],
          [texts("settings.providersFee"), feeWordsIn(texts)[terms.fee_mode]],
        ]}
      />
      <p className="caption">{texts("settings.termsAbout")}</p>
      {mayChange ? (
        <Button
          size="medium"
          className="justify-self-start"
          disabled={proposal !== null}
          title={proposal ? texts("settings.openProposalFirst") : undefined}
          onClick={() => setChanging(true)}
        >
          {environment === "live" ? texts("settings.proposeOtherTerms") : texts("settings.openChangeTerms")}
        </Button>
      ) : null}
      {proposal ? <TopupProposal proposal={proposal} /> : null}
      <Suspense>
        {isChanging ? <TopupPoliciesDialog present={terms} onClose={() => setChanging(false)} /> : null}
      </Suspense>
    </Section>
  );
}
