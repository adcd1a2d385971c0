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
import { Logo } from "../ui/logo";
import { Notice } from "../ui/notice";
import { PageHeader } from "../ui/page-header";
import { Section } from "./section";
import { CHECKOUT_WORDS, type MerchantSettings } from "./settings";
import { TopupTermsSection } from "./topup-terms-section";

const NameDialog = lazy(() => import("./name-dialog"));
const BrandDialog = lazy(() => import("./brand-dialog"));
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
  const [open, setOpen] = useState<"name" | "checkout" | "brand" | null>(null);
  const { label, about } = CHECKOUT_WORDS[settings.checkout_mode];
  const close = () => setOpen(null);
  return (
    <Section id="general" title="General, in both environments">
      <Facts
        facts={[
          ["Name", settings.name],
          ["Merchant id", settings.id],
          ["Checkout", `${label}: ${about}`],
          ["Branding", <BrandSample key="brand" brand={settings.brand} />],
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
          <Button size="medium" onClick={() => setOpen("brand")}>
            Change branding…
          </Button>
        </div>
      ) : null}
      <Suspense>
        {open === "name" ? <NameDialog present={settings.name} onClose={close} /> : null}
        {open === "brand" ? <BrandDialog present={settings.brand} onClose={close} /> : null}
        {open === "checkout" ? <CheckoutDialog present={settings.checkout_mode} onClose={close} /> : null}
      </Suspense>
    </Section>
  );
}

/** The color and the logo that payers see. */
function BrandSample({ brand: { color, logo } }: { readonly brand: MerchantSettings["brand"] }) {
  if (color === null && logo === null) return "none: payers see the name alone";
  return (
    <span className="flex flex-wrap items-center gap-3">
      {logo === null ? null : <Logo src={logo} name="The logo" />}
      {color === null ? null : (
        <span className="flex items-center gap-2">
          <span
            aria-hidden="true"
            className="size-5 rounded-sm border border-line"
            style={{ backgroundColor: color }}
          />
          <span className="font-mono text-xs">{color}</span>
        </span>
      )}
    </span>
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
