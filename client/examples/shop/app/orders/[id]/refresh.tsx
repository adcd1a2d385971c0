"use client";
// Reads the order again every two seconds while its page is open.
import { useRouter } from "next/navigation";
import { useEffect } from "react";

export function Refresh() {
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => router.refresh(), 2_000);
    return () => clearInterval(timer);
  }, [router]);
  return null;
}
