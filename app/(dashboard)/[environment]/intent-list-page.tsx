// What the pages of the intent lists share: the permission, and fetching rows and views before the page is sent.
import { HydrationBoundary } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { PageTexts, pageTexts } from "@/app/page-texts";
import type { Area, Texts } from "@/components/i18n/dashboard-texts";
import {
  type Filters,
  type ListField,
  type PageSearch,
  readCursor,
  readFilters,
  readOrder,
  searchParamsOf,
} from "@/components/lists/filters";
import { requirePageAccess } from "@/server/auth/page-access";
import { createPrefetch, leaveToBrowser } from "@/server/trpc/prefetch";

export interface ListPageProps {
  readonly params: Promise<{ readonly environment: string }>;
  readonly searchParams: Promise<PageSearch>;
}

type Prefetch = ReturnType<typeof createPrefetch>;
type Permissions = Awaited<ReturnType<typeof requirePageAccess>>["permissions"];

/** The initial position, as input of the lists' procedures. */
interface Place {
  readonly environment: "test" | "live";
  readonly cursor?: string;
  readonly sort?: ReturnType<typeof readOrder>["sort"];
}

interface ListAccess {
  readonly environment: string;
  readonly permissions: readonly string[];
  readonly texts: Texts;
}

interface IntentListPage {
  readonly kind: "payments" | "payouts" | "topups";
  readonly fields: readonly ListField[];
  /** Makes the same query as the list in the browser, under the same key, so that the list finds the rows there. */
  readonly read: (prefetch: Prefetch, place: Place, filters: Filters, permissions: Permissions) => Promise<unknown>;
  readonly list: (access: ListAccess) => ReactNode;
  /** The areas of texts that the list uses in the browser. */
  readonly areas: readonly Area[];
}

/** The page of a list, with the state of its address. */
export async function intentListPage(props: ListPageProps, { kind, fields, read, list, areas }: IntentListPage) {
  const { environment, session, permissions } = await requirePageAccess(
    (await props.params).environment,
    "read_intents",
  );
  const search = searchParamsOf(await props.searchParams);
  const cursor = readCursor(search);
  const prefetch = createPrefetch(session);
  const place = { environment, ...readOrder(search), ...(cursor === undefined ? {} : { cursor }) };
  const views = prefetch.trpc.savedViews.list.queryOptions({ environment, list: kind });
  await Promise.all([
    read(prefetch, place, readFilters(search, fields), permissions).catch(leaveToBrowser),
    prefetch.queryClient.query(views).catch(leaveToBrowser),
  ]);
  const texts = await pageTexts();
  return (
    <PageTexts areas={areas}>
      <HydrationBoundary state={prefetch.state()}>{list({ environment, permissions, texts })}</HydrationBoundary>
    </PageTexts>
  );
}
