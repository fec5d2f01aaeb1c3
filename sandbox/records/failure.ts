/** Why something fails. The event that reports it carries this as `error`. */
export interface Failure {
  /** A short identifier, such as `rejected_by_platform`. */
  code: string;
  message: string;
}
