import Link from "next/link";
import { redirect } from "next/navigation";
import { PageTexts, pageTexts, titled } from "@/app/page-texts";
import { SignInForm } from "@/components/sign-in/sign-in-form";
import { SingleSignOn } from "@/components/sign-in/single-sign-on";
import { Wordmark } from "@/components/ui/mark";
import { Panel } from "@/components/ui/panel";
import { TextLink } from "@/components/ui/text-link";
import { currentMember } from "@/server/auth/current-member";
import { ownPath } from "@/server/auth/own-path";
import { singleSignOn } from "@/server/auth/single-sign-on";

export const dynamic = "force-dynamic";

export const generateMetadata = titled("pages.signIn", { robots: { index: false } });

interface SignInPageProps {
  readonly searchParams: Promise<{ readonly next?: string | string[]; readonly error?: string | string[] }>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { next, error } = await searchParams;
  const way = ownPath(typeof next === "string" ? next : undefined) ?? "/dashboard";
  if (await currentMember()) redirect(way);
  const provider = singleSignOn();
  const texts = await pageTexts();
  return (
    <PageTexts areas={["signIn"]}>
      <main className="grid min-h-dvh content-start justify-items-center gap-7 px-5 pt-[max(2.5rem,16vh)] pb-10">
        <Link href="/" className="rounded-sm p-1 text-lg">
          <Wordmark />
        </Link>
        <Panel className="grid w-full max-w-sm gap-6">
          <div className="grid gap-1">
            <h1 className="text-xl">{texts("pages.signIn")}</h1>
            <p className="text-sm text-ink-soft">{texts("pages.forMembers")}</p>
          </div>
          {provider ? (
            <SingleSignOn name={provider.name} next={way} error={typeof error === "string" ? error : null} />
          ) : null}
          {provider?.isOnlyWay ? null : <SignInForm next={way} />}
        </Panel>
        <p className="max-w-sm text-center text-xs text-ink-soft">
          {texts.rich("pages.noAccessYet", { docs: (words) => <TextLink href="/docs">{words}</TextLink> })}
        </p>
      </main>
    </PageTexts>
  );
}
