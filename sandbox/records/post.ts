import type { ErrorDetails } from './error-details';

export interface PostVariant {
  id: number;
  socialAccountId: number;
  content: string;
  mediaUrls: string[];
  status: 'pending' | 'published' | 'failed';
  failure?: ErrorDetails;
  /** Request fields that the specification doesn't list. */
  extra: Record<string, unknown>;
}

export interface Post {
  id: number;
  workspaceId: number;
  status: string;
  scheduledAt?: string | undefined;
  createdAt: string;
  variants: PostVariant[];
  /** Request fields that the specification doesn't list. */
  extra: Record<string, unknown>;
}

/** What it takes to add a post; everything else has a default. */
export interface NewPost {
  workspaceId: number;
  status: string;
  scheduledAt?: string | undefined;
  createdAt?: string;
  variants: Array<
    Pick<PostVariant, 'socialAccountId'> &
      Partial<Pick<PostVariant, 'content' | 'mediaUrls' | 'status' | 'extra'>>
  >;
  extra?: Record<string, unknown>;
}

/** A variant as its simulated platform published it. */
export interface PlatformPost {
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
