import type { Plan } from './plan';

export interface ApiKey {
  id: number;
  name: string;
  plan: Plan;
  /** The key itself: what follows "Bearer ". */
  key: string;
  isActive: boolean;
  createdAt: string;
  /** The requests counted in one month (YYYY-MM, UTC). */
  usage: { month: string; used: number };
}

/** The month that a request counts toward, as YYYY-MM in UTC. */
export function monthOf(time: Date): string {
  return time.toISOString().slice(0, 7);
}
