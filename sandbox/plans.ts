/** The plans of the service and their API requests per month (specification, "Limits"). */
export const plans = {
  creator: { name: 'Creator', requestsPerMonth: 0 },
  pro: { name: 'Pro', requestsPerMonth: 1_000 },
  business: { name: 'Business', requestsPerMonth: 50_000 },
  agency: { name: 'Agency', requestsPerMonth: 500_000 },
} as const;

export type Plan = keyof typeof plans;

export const planNames = Object.keys(plans) as Plan[];

export function isPlan(value: unknown): value is Plan {
  return typeof value === 'string' && Object.hasOwn(plans, value);
}
