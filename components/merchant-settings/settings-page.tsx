// The merchant's settings: what owners change here, and what only the operator of the service changes.
"use client";
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Facts } from "../intents/facts";
import { durationText } from "../payout-recipients/recipient";
import { useMay, useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { PageHeader } from "../ui/page-header";
import { Panel } from "../ui/panel";
import { CHECKOUT_WORDS, FEE_WORDS, type MerchantSettings, POLICY_WORDS, percentText } from "./settings";

const NameDialog = lazy(() => import("./name-dialog"));
const CheckoutDialog = lazy(() => import("./checkout-dialog"));

export function SettingsPage() {
  const { environment } = useShell();
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.merchantSettings.show.queryOptions({ environment }));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeader
        title="Settings"
        about="What holds for this merchant. Owners change the general settings; the operator of this service the rest."
      />
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(error).message}
        </Notice>
      ) : null}
      {data ? (
        <>
          <General settings={data} />
          <TopupTermsSection settings={data} />
          <Operators settings={data} />
        </>
      ) : null}
    </div>
  );
}

interface SectionProps {
  readonly settings: MerchantSettings;
}

function Section({
  id,
  title,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <section aria-labelledby={id} className="grid min-w-0 gap-3">
      <h2 id={id} className="text-lg">
        {title}
      </h2>
      <Panel className="grid gap-4">{children}</Panel>
    </section>
  );
}

function General({ settings }: SectionProps) {
  const mayChange = useMay("manage_settings");
  const [open, setOpen] = useState<"name" | "checkout" | null>(null);
  const { label, about } = CHECKOUT_WORDS[settings.checkout_mode];
  const close = () => setOpen(null);
  return (
    <Section id="general" title="General, in both environments">
      <Facts
        facts={[
          ["Name", settings.name],
          ["Merchant id", settings.id],
          ["Checkout", `${label}: ${about}`],
        ]}
      />
      {mayChange ? (
        <div className="flex flex-wrap gap-2">
          <Button size="medium" onClick={() => setOpen("name")}>
            Change name…
          </Button>
          <Button size="medium" onClick={() => setOpen("checkout")}>
            Change checkout…
          </Button>
        </div>
      ) : null}
      <Suspense>
        {open === "name" ? <NameDialog present={settings.name} onClose={close} /> : null}
        {open === "checkout" ? <CheckoutDialog present={settings.checkout_mode} onClose={close} /> : null}
      </Suspense>
    </Section>
  );
}

function TopupTermsSection({ settings: { topup_terms: terms } }: SectionProps) {
  const { environment } = useShell();
  return (
    <Section id="topup-terms" title={`Top-up terms in ${environment}`}>
      <Facts
        facts={[
          ["Paid too much", POLICY_WORDS[terms.overpayment]],
          ["Paid too little", POLICY_WORDS[terms.underpayment]],
          ["Paid late", POLICY_WORDS[terms.late_payment]],
          ["Spread", `${percentText(terms.spread_basis_points)} of the conversion, for the operator`],
          ["Provider's fee", FEE_WORDS[terms.fee_mode]],
        ]}
      />
      <p className="caption">Each top-up keeps the terms that it was created with.</p>
    </Section>
  );
}

function Operators({ settings }: SectionProps) {
  const { environment } = useShell();
  const { removed_currencies: removed } = settings;
  const wait = (seconds: number) => (seconds === 0 ? "none" : durationText(seconds));
  return (
    <Section id="by-operator" title="Set by the operator">
      <Facts
        facts={[
          ["Currencies", settings.currencies.join(", ")],
          removed.length === 0 ? null : ["Removed", `${removed.join(", ")}: nothing new is created, wallets stay`],
          ["Account checks", settings.checks_accounts ? "Payouts over the API are checked" : "Off for the API"],
          ["New authority in live", `counts after a cool-down: ${wait(settings.authority_cool_down_seconds)}`],
          [
            `New recipients in ${environment}`,
            `can be paid after a cool-off: ${wait(settings.recipient_cool_off_seconds)}`,
          ],
        ]}
      />
      <p className="caption">
        The operator changes these, since they cost the operator money or protect you from a colleague. Ask them.
      </p>
    </Section>
  );
}
