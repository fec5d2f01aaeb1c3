import type { Failure } from './failure';

export interface Variant {
  id: number;
  socialAccountId: number;
  content: string;
  mediaUrls: string[];
  status: 'pending' | 'published' | 'failed';
  failure?: Failure;
  /** Request fields that the specification doesn't list. */
  extra: Record<string, unknown>;
}

export interface Post {
  id: number;
  workspaceId: number;
  status: string;
  scheduledAt: string | null;
  createdAt: string;
  variants: Variant[];
  /** Request fields that the specification doesn't list. */
  extra: Record<string, unknown>;
}

/** What it takes to add a post; everything else has a default. */
export interface NewPost {
  workspaceId: number;
  status: string;
  scheduledAt?: string | null;
  createdAt?: string;
  variants: Array<
    Pick<Variant, 'socialAccountId'> &
      Partial<Pick<Variant, 'content' | 'mediaUrls' | 'status' | 'extra'>>
  >;
  extra?: Record<string, unknown>;
}

/** A variant as its simulated platform published it. */
export interface Publication {
  id: number;
  workspaceId: number;
  postId: number;
  variantId: number;
  socialAccountId: number;
  platform: string;
  content: string;
  mediaUrls: string[];
  platformUrl: string;
  platformPostId: string;
  publishedAt: string;
  impressions: number;
  engagements: number;
}
