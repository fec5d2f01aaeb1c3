/** Why something failed. The event that reports it carries this as `error`. */
export interface ErrorDetails {
  /** A short identifier, such as `rejected_by_platform`. */
  code: string;
  message: string;
}
