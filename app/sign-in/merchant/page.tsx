import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { MerchantChoice } from "@/components/sign-in/merchant-choice";
import { Wordmark } from "@/components/ui/mark";
import { Panel } from "@/components/ui/panel";
import { enterableMerchants } from "@/server/auth/merchant-choice";
import { ownPath } from "@/server/auth/own-path";

export const dynamic = "force-dynamic";

export const metadata: Metadata = { title: "Sign in", robots: { index: false } };

interface MerchantPageProps {
  readonly searchParams: Promise<{ readonly next?: string | string[] }>;
}

/** Where a person who has signed in at the OpenID provider chooses a merchant, and connects a member who has a password. */
export default async function MerchantPage({ searchParams }: MerchantPageProps) {
  const { next } = await searchParams;
  const merchants = await enterableMerchants(await headers());
  if (merchants === null) redirect("/sign-in");
  return (
    <main className="grid min-h-dvh content-start justify-items-center gap-7 px-5 pt-[max(2.5rem,16vh)] pb-10">
      <span className="text-lg">
        <Wordmark />
      </span>
      <Panel className="grid w-full max-w-sm gap-6">
        <div className="grid gap-1">
          <h1 className="text-xl">{merchants.length > 1 ? "Choose a merchant" : "Connect your account"}</h1>
          {merchants.length > 1 ? (
            <p className="text-sm text-ink-soft">You are a member of several merchants on this instance.</p>
          ) : null}
        </div>
        <MerchantChoice
          merchants={merchants}
          next={ownPath(typeof next === "string" ? next : undefined) ?? "/dashboard"}
        />
      </Panel>
    </main>
  );
}
