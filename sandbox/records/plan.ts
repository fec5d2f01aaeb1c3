/** The plans, cheapest first. */
export const planNames = ['creator', 'pro', 'business', 'agency'] as const;

export type Plan = (typeof planNames)[number];

/** The plans and their API requests per month (docs/service.md, "Quota"). */
export const plans: Record<Plan, { name: string; requestsPerMonth: number }> = {
  creator: { name: 'Creator', requestsPerMonth: 0 },
  pro: { name: 'Pro', requestsPerMonth: 1_000 },
  business: { name: 'Business', requestsPerMonth: 50_000 },
  agency: { name: 'Agency', requestsPerMonth: 500_000 },
};
