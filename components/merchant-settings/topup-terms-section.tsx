// What becomes of top-ups that are not paid as quoted: in effect, and proposed.
"use client";
import { lazy, Suspense, useState } from "react";
import { Facts } from "../intents/facts";
import { useMay, useShell } from "../shell/shell-context";
import { Button } from "../ui/button";
import { Section } from "./section";
import { FEE_WORDS, type MerchantSettings, percentText, policyFacts } from "./settings";
import { TopupProposal } from "./topup-proposal";

const TopupPoliciesDialog = lazy(() => import("./topup-policies-dialog"));

export function TopupTermsSection({ settings }: { readonly settings: MerchantSettings }) {
  const { environment } = useShell();
  const mayChange = useMay("manage_settings");
  const [isChanging, setChanging] = useState(false);
  const { topup_terms: terms, proposed_topup_terms: proposal } = settings;
  return (
    <Section id="topup-terms" title={`Top-up terms in ${environment}`}>
      <Facts
        facts={[
          ...policyFacts(terms),
          ["Spread", `${percentText(terms.spread_basis_points)} of the conversion, for the operator`],
          ["Provider's fee", FEE_WORDS[terms.fee_mode]],
        ]}
      />
      <p className="caption">
        Each top-up keeps the terms that it was created with. The operator sets the spread and the fee, and alone lets
        late payments be credited: the rate ends with the quote.
      </p>
      {mayChange ? (
        <Button
          size="medium"
          className="justify-self-start"
          disabled={proposal !== null}
          title={proposal ? "Decide on the open proposal first." : undefined}
          onClick={() => setChanging(true)}
        >
          {environment === "live" ? "Propose other terms…" : "Change terms…"}
        </Button>
      ) : null}
      {proposal ? <TopupProposal proposal={proposal} /> : null}
      <Suspense>
        {isChanging ? <TopupPoliciesDialog present={terms} onClose={() => setChanging(false)} /> : null}
      </Suspense>
    </Section>
  );
}
