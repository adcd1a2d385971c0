// The merchant's settings: what owners change here, and what only the operator of the service changes.
"use client";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useTexts } from "../i18n/use-texts";
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
import { checkoutWordsIn, type MerchantSettings } from "./settings";
import { TopupTermsSection } from "./topup-terms-section";

const NameDialog = lazy(() => import("./name-dialog"));
const BrandDialog = lazy(() => import("./brand-dialog"));
const CheckoutDialog = lazy(() => import("./checkout-dialog"));

export function SettingsPage() {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.merchantSettings.show.queryOptions({ environment }));
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <PageHeader title={texts("settings.settings")} about={texts("settings.settingsAbout")} />
      {error ? (
        <Notice tone="bad" role="alert">
          {failureOf(texts, error).message}
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
  const texts = useTexts();
  const mayChange = useMay("manage_settings");
  const [open, setOpen] = useState<"name" | "checkout" | "brand" | null>(null);
  const { label, about } = checkoutWordsIn(texts)[settings.checkout_mode];
  const close = () => setOpen(null);
  return (
    <Section id="general" title={texts("settings.generalInBothEnvironments")}>
      <Facts
        facts={[
          [texts("settings.name"), settings.name],
          [texts("settings.merchantId"), settings.id],
          [texts("settings.checkout"), `${label}: ${about}`],
          [texts("settings.branding"), <BrandSample key="brand" brand={settings.brand} />],
        ]}
      />
      {mayChange ? (
        <div className="flex flex-wrap gap-2">
          <Button size="medium" onClick={() => setOpen("name")}>
            {texts("settings.openChangeName")}
          </Button>
          <Button size="medium" onClick={() => setOpen("checkout")}>
            {texts("settings.openChangeCheckout")}
          </Button>
          <Button size="medium" onClick={() => setOpen("brand")}>
            {texts("settings.openChangeBranding")}
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
  const texts = useTexts();
  if (color === null && logo === null) return texts("settings.nameAlone");
  return (
    <span className="flex flex-wrap items-center gap-3">
      {logo === null ? null : <Logo src={logo} name={texts("settings.theLogo")} />}
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
  const texts = useTexts();
  const { environment } = useShell();
  const { removed_currencies: removed } = settings;
  const wait = (seconds: number) => (seconds === 0 ? texts("settings.noWait") : durationText(texts, seconds));
  return (
    <Section id="by-operator" title={texts("settings.setByTheOperator")}>
      <Facts
        facts={[
          [texts("settings.currencies"), settings.currencies.join(", ")],
          removed.length === 0
            ? null
            : [texts("settings.removed"), texts("settings.currencyRemoved", { removed: removed.join(", ") })],
          [
            texts("settings.accountChecks"),
            settings.checks_accounts ? texts("settings.accountsChecked") : texts("settings.accountsNotChecked"),
          ],
          [
            texts("settings.newAuthorityInLive"),
            texts("settings.countsAfter", { wait: wait(settings.authority_cool_down_seconds) }),
          ],
          [
            texts("settings.newRecipientsInEnvironment", { environment }),
            texts("settings.paidAfter", { wait: wait(settings.recipient_cool_off_seconds) }),
          ],
        ]}
      />
      <p className="caption">{texts("settings.operatorChanges")}</p>
    </Section>
  );
}
