// The merchant's settings: what owners change here, and what only the operator of the service changes.
"use client";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { Facts } from "../intents/facts";
import { durationText } from "../payout-recipients/recipient";
import { useMay, useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import { failureOf } from "../trpc/failure";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";
import { PageHeader } from "../ui/page-header";
import { Section } from "./section";
import { CHECKOUT_WORDS, type MerchantSettings } from "./settings";
import { TopupTermsSection } from "./topup-terms-section";

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
        about="What holds for this merchant. Owners change some of it, and the operator of this service the rest."
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
