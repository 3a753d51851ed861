set style fill solid 0.8 border lc rgb 'black'
set grid ytics
set key above noenhanced width 2 samplen 3
set xzeroaxis lt -1
set datafile separator tab
set title 'Weighted speedup of MASK over the same with steps of 10 %' noenhanced
set ylabel 'gain [%]' noenhanced
set xrange [0:1196]
set yrange [-25.593:3.76374]
set xtics noenhanced scale 0 ('3DS+HISTO' 59.4545, 'RED+BP' 164.364, 'RED+RAY' 269.273, 'SCAN+HISTO' 374.182, 'SCAN+SAD' 479.091, 'MM+CONS' 584, 'SCAN+CONS' 688.909, 'SCAN+SRAD' 793.818, 'SC+FWT' 898.727, 'QTC+BP' 1003.64, 'mean' 1136.55)
set lmargin at screen 0.0840841
set rmargin at screen 0.981982
set terminal svg size 1332,440
set output 'mask-step.svg'
plot 'mask-step.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title '5 %', 'mask-step.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title '20 %', 'mask-step.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'InitialTokens 10 %', 'mask-step.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#CC79A7' title 'InitialTokens 100 %'
set terminal png size 1332,440
set output 'mask-step.png'
plot 'mask-step.dat' index 0 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#0072B2' title '5 %', 'mask-step.dat' index 1 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#E69F00' title '20 %', 'mask-step.dat' index 2 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#009E73' title 'InitialTokens 10 %', 'mask-step.dat' index 3 using (($4+$5)/2):7:4:5:6:7 with boxxyerror lc rgb '#CC79A7' title 'InitialTokens 100 %'
