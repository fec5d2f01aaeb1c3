import '../faults/short-lifetime';

import { together } from '../together';

together('load/looking', 'load/many-refused', 'load/long-runs', 'load/moving-lists');
