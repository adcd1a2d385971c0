import { PageTexts, pageTexts, titled } from "@/app/page-texts";
import { Wordmark } from "@/components/ui/mark";
import { Panel } from "@/components/ui/panel";
import { ChoosePassword } from "@/components/welcome/choose-password";

export const dynamic = "force-dynamic";

export const generateMetadata = titled("pages.chooseAPassword", {
  robots: { index: false, follow: false },
  referrer: "no-referrer",
});

/** The page of every one-time link. The token is in the fragment, which the browser keeps to itself. */
export default async function WelcomePage() {
  const texts = await pageTexts();
  return (
    <PageTexts areas={["signIn"]}>
      <main className="grid min-h-dvh content-start justify-items-center gap-7 px-5 pt-[max(2.5rem,16vh)] pb-10">
        <p className="p-1 text-lg">
          <Wordmark />
        </p>
        <Panel className="grid w-full max-w-sm gap-6">
          <h1 className="text-xl">{texts("pages.chooseAPassword")}</h1>
          <ChoosePassword />
        </Panel>
      </main>
    </PageTexts>
  );
}
