import { redirect } from "next/navigation";
import { currentSession } from "@/server/auth/current-member";

export const dynamic = "force-dynamic";

export default async function DashboardPage() {
  const session = await currentSession();
  redirect(session ? "/test" : "/sign-in");
}
