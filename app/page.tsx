import { PageTexts } from "@/app/page-texts";
import { FirstSteps } from "@/components/front/first-steps";
import { InstanceState } from "@/components/front/instance-state";
import { Masthead } from "@/components/front/masthead";
import { currentMemberIfReady } from "@/server/auth/current-member";
import { instanceOverview } from "@/server/http/instance";

export const dynamic = "force-dynamic";

export default async function FrontPage() {
  const { demoKeysFile, ...overview } = await instanceOverview();
  const member = await currentMemberIfReady();
  return (
    <PageTexts areas={["copy", "signIn"]}>
      <Masthead member={member} />
      <main className="mx-auto grid max-w-6xl gap-x-16 gap-y-10 px-5 pt-8 pb-20 sm:px-8 lg:grid-cols-[1fr_1.35fr] lg:pt-16">
        <div className="grid content-start gap-8 lg:sticky lg:top-16 lg:self-start">
          <div className="grid gap-4">
            <h1 className="text-2xl">This is a Sluice instance</h1>
            <p className="text-ink-soft">
              Merchants collect, send and fund through their payment providers over one REST API. Money waits for an
              approval before it leaves, and every move of it is in a ledger.
            </p>
          </div>
          <InstanceState {...overview} />
        </div>
        {demoKeysFile === null ? null : <FirstSteps baseUrl={overview.baseUrl} keysFile={demoKeysFile} />}
      </main>
    </PageTexts>
  );
}
