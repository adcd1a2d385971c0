import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { PageTexts, pageTexts, titled } from "@/app/page-texts";
import { MerchantChoice } from "@/components/sign-in/merchant-choice";
import { Wordmark } from "@/components/ui/mark";
import { Panel } from "@/components/ui/panel";
import { enterableMerchants } from "@/server/auth/merchant-choice";
import { ownPath } from "@/server/auth/own-path";

export const dynamic = "force-dynamic";

export const generateMetadata = titled("pages.signIn", { robots: { index: false } });

interface MerchantPageProps {
  readonly searchParams: Promise<{ readonly next?: string | string[] }>;
}

/** Where a person who has signed in at the OpenID provider chooses a merchant, and connects a member who has a password. */
export default async function MerchantPage({ searchParams }: MerchantPageProps) {
  const { next } = await searchParams;
  const choice = await enterableMerchants(await headers());
  if (choice === null) redirect("/sign-in");
  const { merchants, isPartial } = choice;
  const texts = await pageTexts();
  return (
    <PageTexts areas={["signIn"]}>
      <main className="grid min-h-dvh content-start justify-items-center gap-7 px-5 pt-[max(2.5rem,16vh)] pb-10">
        <span className="text-lg">
          <Wordmark />
        </span>
        <Panel className="grid w-full max-w-sm gap-6">
          <div className="grid gap-1">
            <h1 className="text-xl">
              {merchants.length > 1 || isPartial ? texts("pages.chooseAMerchant") : texts("pages.connectYourAccount")}
            </h1>
            {merchants.length > 1 ? <p className="text-sm text-ink-soft">{texts("pages.severalMerchants")}</p> : null}
            {isPartial ? <p className="text-sm text-ink-soft">{texts("pages.someMerchantsAway")}</p> : null}
          </div>
          <MerchantChoice
            merchants={merchants}
            next={ownPath(typeof next === "string" ? next : undefined) ?? "/dashboard"}
          />
        </Panel>
      </main>
    </PageTexts>
  );
}
