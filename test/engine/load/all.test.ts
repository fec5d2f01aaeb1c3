import '../faults/short-lifetime';

import { together } from '../together';

together('load/looking', 'load/many-items', 'load/long-runs', 'load/moving-lists');
