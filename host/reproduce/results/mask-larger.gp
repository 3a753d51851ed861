set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Weighted speedup over SharedTLB with inputs of our default sizes' noenhanced
set ylabel 'gain [%]' noenhanced
set xrange [0:1196]
set yrange [-19.9471:431.717]
set xtics rotate by -45 noenhanced scale 0 ('RED:16777216+BP:1048576' 59.4545, 'RED:16777216+RAY' 164.364, 'SCAN:16777216+HISTO' 269.273, 'SCAN:16777216+SAD' 374.182, 'SCAN:16777216+CONS' 479.091, 'SCAN:16777216+SRAD:1024' 584, 'SC+FWT' 688.909, 'MUM:100000+RED:16777216' 793.818, 'GUP:16777216+MM' 898.727, 'QTC+BP:1048576' 1003.64, 'mean' 1136.55)
set lmargin at screen 0.0840841
set rmargin at screen 0.981982
set terminal svg size 1332,610
set output 'mask-larger.svg'
plot 'mask-larger.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'PWCache', 'mask-larger.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'MASK-TLB', 'mask-larger.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'MASK-Cache', 'mask-larger.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#CC79A7' title 'MASK-DRAM', 'mask-larger.dat' index 4 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#56B4E9' title 'MASK', 'mask-larger.dat' index 5 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#D55E00' title 'Ideal'
set terminal png size 1332,610
set output 'mask-larger.png'
plot 'mask-larger.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title 'PWCache', 'mask-larger.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title 'MASK-TLB', 'mask-larger.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'MASK-Cache', 'mask-larger.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#CC79A7' title 'MASK-DRAM', 'mask-larger.dat' index 4 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#56B4E9' title 'MASK', 'mask-larger.dat' index 5 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#D55E00' title 'Ideal'
