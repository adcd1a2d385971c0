"use client";
import { MutationCache, QueryCache, QueryClientProvider } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { makeClient, makeQueryClient, TRPCProvider } from "./client";
import { reasonOf } from "./failure";
import { SignedOut } from "./signed-out";
import type { Proof, ProofRequest } from "./step-up-link";

/** Loads when the first proof is asked for. */
const ProofDialog = lazy(() => import("./proof-dialog"));

/** One client per page load. If the session has ended, the page shows a notice and keeps its contents. */
export function ApiProvider({ children }: { readonly children: ReactNode }) {
  const [isSignedOut, setSignedOut] = useState(false);
  const [asked, setAsked] = useState<{ request: ProofRequest; answer: (proof: Proof | null) => void } | null>(null);
  const [trpcClient] = useState(() => makeClient((request) => new Promise((answer) => setAsked({ request, answer }))));
  const [queryClient] = useState(() => {
    const onError = (error: unknown) => {
      if (reasonOf(error) === "unauthorized") setSignedOut(true);
    };
    return makeQueryClient({ queryCache: new QueryCache({ onError }), mutationCache: new MutationCache({ onError }) });
  });
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={trpcClient} queryClient={queryClient}>
        {children}
        <Suspense>
          {asked ? (
            <ProofDialog
              request={asked.request}
              beginPasskey={() => trpcClient.account.beginPasskeyProof.mutate()}
              onAnswer={(proof) => {
                setAsked(null);
                asked.answer(proof);
              }}
            />
          ) : null}
        </Suspense>
        {isSignedOut ? <SignedOut /> : null}
      </TRPCProvider>
    </QueryClientProvider>
  );
}
