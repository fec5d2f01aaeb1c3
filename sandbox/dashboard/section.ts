import type { Service } from '../service';
import type { Form } from './form';
import type { Html } from './html';

/** A part of the page, with what can be done there. */
export interface Section {
  /** Its anchor on the page, and the first part of the paths of its actions. */
  id: string;
  title: string;
  view(service: Service): Html;
  /**
   * What can be done, by the last part of the path it is posted to. Each says what it has done, and
   * throws a FormError when it can't be done.
   */
  actions?: Record<string, (service: Service, form: Form) => Html | string>;
}

/** The workspace that the dashboard shows. */
export const shownWorkspaceId = 1;
