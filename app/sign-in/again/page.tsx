import { PageTexts, pageTexts, titled } from "@/app/page-texts";
import { SignInAgain } from "@/components/sign-in/sign-in-again";
import { Wordmark } from "@/components/ui/mark";
import { Panel } from "@/components/ui/panel";

export const dynamic = "force-dynamic";

export const generateMetadata = titled("pages.signInAgain", { robots: { index: false } });

interface AgainPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

/** The small window in which a member signs in again to confirm an act of another window. */
export default async function AgainPage({ searchParams }: AgainPageProps) {
  const { attempt, outcome } = await searchParams;
  const texts = await pageTexts();
  return (
    <PageTexts areas={["signIn"]}>
      <main className="grid min-h-dvh content-start justify-items-center gap-7 px-5 pt-[max(2.5rem,12vh)] pb-10">
        <span className="text-lg">
          <Wordmark />
        </span>
        <Panel className="grid w-full max-w-sm gap-4">
          <h1 className="text-xl">{texts("pages.signInAgain")}</h1>
          <SignInAgain
            attempt={typeof attempt === "string" ? attempt : null}
            outcome={outcome === "done" || outcome === "refused" ? outcome : null}
          />
        </Panel>
      </main>
    </PageTexts>
  );
}
