import type { SandboxService } from '../service';
import type { Form } from './form';
import type { Html } from './html';

/** A part of the page, with its actions. */
export interface Section {
  /** Its anchor on the page, and the first segment of the paths of its actions. */
  id: string;
  title: string;
  view(service: SandboxService): Html;
  /**
   * The actions by the last segment of their paths. Each returns a message that says what it has
   * done, or throws a FormError.
   */
  actions?: Record<string, (service: SandboxService, form: Form) => Html | string>;
}

/** The workspace that the dashboard shows. */
export const shownWorkspaceId = 1;
